"""What stands before the app: each refuses or changes a request, or a message, before Streamlit sees it."""
