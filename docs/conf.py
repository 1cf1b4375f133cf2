"""How the documentation becomes a site: Sphinx reads the Markdown pages as they are."""

project = "Blind Comparator"
extensions = ["myst_parser"]
root_doc = "index"
exclude_patterns = ["README.md", "recipes/README.md"]
html_theme = "alabaster"
html_theme_options = {
    "description": "Which of these two outputs does the task better?",
    "fixed_sidebar": True,
    "page_width": "1100px",
}
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"]}
html_show_sphinx = False
html_copy_source = False
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]
