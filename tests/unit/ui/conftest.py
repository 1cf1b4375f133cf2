"""The UI's parts: Plotly looks at each property of their charts."""

from comparator.ui.frame.charts import plotting

plotting.CHECKED = True
