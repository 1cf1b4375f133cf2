"""The first schema, as revision 0001 made it; never edited after its release."""
