"""Pages without statistics do not pay for them."""

import subprocess
import sys


def test_importing_the_statistics_loads_none_of_the_heavy_packages() -> None:
    script = (
        "import sys; import comparator.stats.paired, comparator.stats.raters.two_raters, comparator.stats.ranking; "
        "print([m for m in ('numpy', 'scipy', 'pandas', 'evalica', 'statsmodels', 'sklearn') if m in sys.modules])"
    )

    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert told.stdout.strip() == "[]"
