#!/usr/bin/env bash
# Compare last night's runs: import, check, judge within a budget, reveal, decide, report.
#
#   CANDIDATE="with_skill (2)" BASELINE="without_skill (2)" nightly.sh WORKSPACE
#
# Exit code: 0 adopt the candidate, 10 keep the baseline, 11 cannot tell yet, 2 something is wrong with the input,
# 3 something was not judged, 4 the audit found something that would change results.
set -euo pipefail

workspace=${1:?Give the workspace to import}
candidate=${CANDIDATE:?Set CANDIDATE to who may be adopted, as the dashboards name it}
baseline=${BASELINE:?Set BASELINE to whose place it would take}
project=${PROJECT:-Nightly}
budget=${BUDGET:-10}              # US dollars; empty for a judge that costs nothing
verdicts=${VERDICTS:-either}      # reviewed: people only; either: people, else the judge
report=${REPORT:-comparison-report}
mkdir -p "$report"

# 1. Import what is new. Importing again adds nothing twice.
comparator --quiet import "$workspace" --project "$project" --json > "$report/import.json"

# 2. Stop before anything is paid for if the runs cannot be compared.
python3 - "$report/import.json" << 'PYTHON' || exit 4
import json, sys
audit = json.load(open(sys.argv[1]))["audit"]
bad = {name: audit[name]["count"] for name in ("void", "contaminated", "different_prompts") if audit[name]["count"]}
for name, count in bad.items():
    print(f"Audit: {name.replace('_', ' ')}: {count}. See import.json.", file=sys.stderr)
sys.exit(bool(bad))
PYTHON

# 3. Judge all that waits, here, within the budget. Nothing that is judged already is paid for again.
comparator --quiet batch start "$project" ${budget:+--budget "$budget"} --json > "$report/batch.json" || [ $? = 2 ]
comparator --quiet worker --until-idle 5
comparator --quiet batch watch --json > "$report/batches.json" || exit 3

# 4. Reveal. Refused while somebody reviews; then tonight's answer rests on what was revealed before.
comparator --quiet reveal "$project" --note "nightly" --json > "$report/reveal.json" ||
  echo "Nothing new was revealed." >&2

# 5. Decide, by the plan that was fixed on the dashboards.
decided=0
comparator --quiet decide --project "$project" --candidate "$candidate" --baseline "$baseline" \
  --verdicts "$verdicts" --json > "$report/decision.json" || decided=$?

# 6. Report: a page for people, comparison.json of each pair, and a summary for a pull request.
comparator --quiet export html --project "$project" --out "$report/report.html"
comparator --quiet export results --project "$project" --out "$report/results.zip"
python3 - "$report/decision.json" > "$report/summary.md" << 'PYTHON'
import json, sys
found = json.load(open(sys.argv[1]))
rate, interval = found["win_rate"], found["interval"]
answer = {"adopt": "Adopt", "keep": "Keep", "cannot_tell": "Cannot tell yet"}[found["decision"]]
print(f"### {answer}: {found['candidate']} against {found['baseline']}\n")
print("| pairs | won | tied | lost | win rate |\n|---|---|---|---|---|")
shown = "too few tasks" if rate is None else f"{rate:.0%} ({interval[0]:.0%} to {interval[1]:.0%})"
print(f"| {found['pairs']} | {found['won']} | {found['tied']} | {found['lost']} | {shown} |")
PYTHON
cat "$report/summary.md"
exit "$decided"
