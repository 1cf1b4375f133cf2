"""Takes over what is typed in the page's text areas while it is typed."""
