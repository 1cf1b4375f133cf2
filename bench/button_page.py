"""A page of one button: the least that a click can cost."""

import streamlit as st

if st.button("Count", key="count"):
    st.session_state["clicks"] = st.session_state.get("clicks", 0) + 1
st.text(f"Clicked {st.session_state.get('clicks', 0)} times")
