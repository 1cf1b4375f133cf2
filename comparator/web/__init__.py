"""The ASGI side of the app: server, headers, sign-in, and the routes for media and saving."""
