"""Commands for whoever runs a server: the database, people, pages of Office files, removal."""
