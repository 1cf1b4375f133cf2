"""The profile of one conversion: no macros, no links, no active content, no name of a person."""

from __future__ import annotations

from pathlib import Path

_SET: tuple[tuple[str, str, str], ...] = (
    ("Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Common/Security/Scripting", "DisableActiveContent", "true"),
    ("Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Common/Security/Scripting", "DisableOLEAutomation", "true"),
    ("Common/Security/LoadTimeCheck", "DisableDDE", "true"),
    ("Common/Misc", "FirstRun", "false"),
    ("Common/Save/Document", "AutoSave", "false"),
    ("Common/Cache/GraphicManager", "TotalCacheSize", "67108864"),
    ("Writer/Content/Update", "Link", "2"),
    ("Writer/Content/Update", "Field", "false"),
    ("WriterWeb/Content/Update", "Link", "2"),
    ("Calc/Content/Update", "Link", "2"),
    ("Java/VirtualMachine", "Enable", "false"),
)


def write_profile(folder: Path) -> None:
    """Put the settings into a new profile folder."""
    items = "".join(
        f'<item oor:path="/org.openoffice.Office.{path}"><prop oor:name="{name}" oor:op="fuse">'
        f"<value>{value}</value></prop></item>\n"
        for path, name, value in _SET
    )
    items += (
        '<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse">'
        "<value>en-US</value></prop></item>\n"
    )
    (folder / "user").mkdir(parents=True)
    (folder / "user" / "registrymodifications.xcu").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<oor:items xmlns:oor="http://openoffice.org/2001/registry" '
        'xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n'
        f"{items}</oor:items>\n",
        "utf-8",
    )
