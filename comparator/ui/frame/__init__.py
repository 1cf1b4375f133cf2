"""What every page stands in and shares: navigation, session, theme, words, charts, filters."""
