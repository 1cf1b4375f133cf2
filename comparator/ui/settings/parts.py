"""Parts of the settings page: people and their roles, judge and storage as the environment sets them, the audit log."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from importlib.metadata import metadata

import streamlit as st

import comparator
from comparator.domain.rights import Act, Role
from comparator.settings import PREFIX, Settings, without_secrets
from comparator.store.people.people import RoleOfPerson
from comparator.store.people.sessions import Invitation
from comparator.ui.frame import safe, session, shell
from comparator.web.sign_in import link_of
from comparator.workflow.doctor import check_up
from comparator.workflow.people.people import audit_log, everybody, give_role, members_of, take_role
from comparator.workflow.people.sign_in import (
    INVITATION_LASTS,
    LONGEST_LINK_DAYS,
    OIDC,
    Invited,
    LinkState,
    Listed,
    end_sign_ins,
    invitations_of,
    invite,
    invite_again,
    revoke_invitation,
)

STORAGE, UPKEEP = "Storage", "Back-up and check"
GROUPS = {
    "Judge": {"judge": "Judge", "model": "Model", "provider": "Provider", "repetitions": "Readings"},
    "Limits": {
        "budget": "Budget",
        "slots": "Requests at once",
        "tools": "Tools",
        "tool_limits": "A reading with tools",
        "prices": "Prices of other models",
    },
    STORAGE: {"home": "Folder", "database_url": "Database", "blob_url": "Outputs"},
}
"""The settings of the installation that are shown, and what they are called."""
EXAMPLES = {
    "model": "claude-opus-5-5",
    "provider": "bedrock",
    "budget": "20",
    "prices": "my-model=3/15",
}
"""What could be written where nothing is set."""
SHOWN = 200
"""Entries of the audit log on the page."""


def installation_part() -> None:
    """Version and judge; for whoever runs the server also where things are kept, and a check of it all."""
    services = session.services()
    settings = services.settings
    judge = session.usual_judge()
    if settings.judge == "auto" and judge.startswith("none"):
        who = ""
        st.warning(
            safe.text(
                "No model judges: ANTHROPIC_API_KEY is not set. Write this line into the file .env of the folder "
                f"{settings.home}, and start again:"
            ),
            icon=":material/key_off:",
        )
        st.code("ANTHROPIC_API_KEY=sk-ant-…", language=None)
    else:
        who = f"Usual judge: {judge}. "
    operates = session.may(Act.OPERATE, project_id=None)
    file = f"the file {settings.home / '.env'}" if operates else "the file .env of the home folder"
    safe.caption(
        f"{who}To change a setting, write its line into {file} or set it in the environment, then restart the app."
    )
    groups = {name: labels for name, labels in GROUPS.items() if operates or name != STORAGE}
    *tabs, upkeep = st.tabs([safe.text(name) for name in (*groups, UPKEEP if operates else "Version")])
    for tab, labels in zip(tabs, groups.values(), strict=True):
        with tab:
            _group(settings, labels)
    with upkeep:
        if operates:
            _upkeep()
        licence = metadata("blind-comparator")["License-Expression"]
        safe.caption(f"Blind Comparator {comparator.__version__}, {licence}. You are {session.me().name}.")


def _upkeep() -> None:
    """How to back up, and a check of the installation."""
    services = session.services()
    st.caption("Back up while the app runs, database and files in one archive:")
    st.code("comparator db backup comparator-backup.tar", language=None, wrap_lines=True)
    if st.button("Check the set-up", key="settings_check", icon=":material/stethoscope:"):
        with st.spinner("Checking database, storage and judge", show_time=True):
            checks = asyncio.run(check_up(services.settings, environment=services.environment))
        for one in checks:
            said = f"{safe.text(one.name.capitalize())}: {safe.text(one.text)}"
            if one.ok:
                st.success(said, icon=":material/check:")
            else:
                st.error(said, icon=":material/error:")


def _group(settings: Settings, labels: Mapping[str, str]) -> None:
    """For each of these settings what it is, and beside it the line that sets it as it is, or as it could be."""
    kept = {
        "database_url": without_secrets(settings.database),
        "blob_url": without_secrets(settings.blobs),
        "tool_limits": settings.tool_limits.model_dump_json(),
        "prices": ",".join(f"{model}={a}/{b}" for model, (a, b) in settings.prices.items()),
    }
    for name, label in labels.items():
        value = kept.get(name, getattr(settings, name))
        about = " ".join((Settings.model_fields[name].description or "").replace("`", "").split())
        left, right = st.columns([3, 2], vertical_alignment="center")
        with left:
            unset = "" if value not in (None, "") else " Not set. For example:"
            safe.write(safe.Markdown(f"**{safe.text(label)}**  \n:small[{safe.text(about)}{unset}]"))
        with right:
            text = EXAMPLES[name] if unset else value
            st.code(f"{PREFIX}{name.upper()}={text}", language=None, wrap_lines=True)


def audit_part() -> None:
    """The newest entries of the project that is looked at, or of all."""
    audit_entries = audit_log(session.as_me(), project_id=session.project_id(), limit=SHOWN)
    if not audit_entries:
        st.caption("No actions have been recorded yet.")
        return
    st.caption(f"The newest {len(audit_entries)} entries. The command “comparator audit” prints them all.")
    st.dataframe(
        {
            "When (UTC)": [entry.event.at for entry in audit_entries],
            "Who": [entry.person for entry in audit_entries],
            "What": [entry.event.kind.replace("_", " ") for entry in audit_entries],
            "Project": [entry.project for entry in audit_entries],
            "Which": [entry.event.subject_id or "" for entry in audit_entries],
            "More": [_in_words(entry.event.detail)[:500] for entry in audit_entries],
        },
        key="settings_audit",
    )


def _in_words(detail: Mapping[str, object]) -> str:
    """What an entry says beside who did what; of two states only what differs."""
    before, after = detail.get("before"), detail.get("after")
    if isinstance(before, dict) and isinstance(after, dict):
        detail = {key: f"{before.get(key)} → {new}" for key, new in after.items() if new != before.get(key)}
    return ", ".join(f"{key.replace('_', ' ')}: {value}" for key, value in detail.items())


MEANS = {
    Role.ADMIN: "Admin: everything, everywhere",
    Role.LEAD: "Lead: everything in the projects",
    Role.REVIEWER: "Reviewer: reads and reviews, blind",
    Role.VIEWER: "Viewer: sees results, changes nothing",
}
_LINK = "settings_invitation_link"


def people_part(project_id: str | None) -> None:
    """Roles and invitations in the project, or everywhere; who may not give any sees nothing of it."""
    settings = session.services().settings
    if not settings.signs_in:
        st.caption(
            "Sign-in is off: everybody who opens this app is the same person. To invite somebody, first connect an "
            "identity provider (OIDC), with which leads sign in. A guest then needs only the link."
        )
        shell.sign_in_help()
        return
    if project_id is not None and not session.may(Act.INVITE, project_id=project_id):
        project_id = None
    if project_id is None and not _grants():
        st.caption("Choose a project of yours on the left to see its people.")
    else:
        st.caption("Roles in this project" if project_id else "Roles in all projects")
        with shell.guard():
            _roles(project_id)
            if project_id:
                _invitations(project_id)


def _roles(project_id: str | None) -> None:
    services = session.as_me()
    members = members_of(services, project_id=project_id)
    for member in members:
        _member(member)
    if not members:
        st.caption("Nobody has a role of their own here.")
    known = everybody(services, project_id=project_id)
    called = {p.id: f"{p.name} ({p.email or p.subject.partition(':')[0]})" for p in known}
    roles = [Role.REVIEWER, Role.VIEWER] if project_id and not _grants() else list(Role)
    if project_id:
        roles = [role for role in roles if role is not Role.ADMIN]
    with shell.row("bottom"):
        person = st.selectbox(
            "Give a role to",
            list(called),
            format_func=called.__getitem__,
            index=None,
            key=f"settings_give_{project_id}",
        )
        role = st.selectbox(
            "Role", roles, format_func=MEANS.__getitem__, key=f"settings_give_role_{project_id}"
        )
        if st.button("Give", key=f"settings_give_now_{project_id}", disabled=person is None) and person:
            give_role(services, person, role, project_id=project_id)
            st.rerun()


def _grants() -> bool:
    return session.may(Act.GRANT, project_id=None)


def _member(member: RoleOfPerson) -> None:
    signed_in = member.granted_by is None
    key = f"{member.person_id}_{member.role}_{member.project_id}"
    with shell.row():
        safe.say(f"{member.name}: {member.role.value}, {'by sign-in' if signed_in else 'by a person'}")
        if (
            member.subject.startswith(OIDC)
            and _grants()
            and st.button(
                "Sign out",
                key=f"settings_end_{key}",
                help="Ends this person's sign-in in every browser. To keep them out, remove the role at the provider, "
                "too.",
            )
        ):
            end_sign_ins(session.as_me(), member.person_id)
            st.rerun()
        if st.button(
            "Take away",
            key=f"settings_take_{key}",
            help="It stays removed until a later sign-in grants it again." if signed_in else None,
        ):
            take_role(session.as_me(), member.person_id, member.role, project_id=member.project_id)
            st.rerun()


def _invitations(project_id: str) -> None:
    services = session.as_me()
    with shell.row("bottom"):
        name = st.text_input(
            "Invite an outside reviewer", key="settings_invite_name", placeholder="Their name"
        )
        days = st.number_input(
            "Days that the link can be used",
            1,
            LONGEST_LINK_DAYS,
            INVITATION_LASTS.days,
            key="settings_invite_days",
            width=240,
        )
        if st.button("Make a link", key="settings_invite_now", disabled=not name.strip()):
            invited = invite(services, project_id, name=name, valid=timedelta(days=int(days)))
            st.session_state[_LINK] = _link(invited)
    if link := st.session_state.pop(_LINK, None):
        st.code(link, language=None, wrap_lines=True)
        st.caption("Send it to this one person. It works once, and it is shown only now.")
    _list(invitations_of(services, project_id))


def _list(invitations: Sequence[Listed]) -> None:
    services = session.as_me()
    for invitation in invitations:
        one = invitation.invitation
        with shell.row():
            safe.say(f"{one.name}: {_state(one, invitation.state)} · made by {invitation.made_by}")
            if one.revoked_at is not None:
                continue
            if st.button("New link", key=f"settings_again_{one.id}"):
                st.session_state[_LINK] = _link(invite_again(services, one.id))
                st.rerun()
            if st.button("Revoke", key=f"settings_revoke_{one.id}"):
                revoke_invitation(services, one.id)
                st.rerun()


def _state(one: Invitation, state: LinkState) -> str:
    match state:
        case LinkState.REVOKED:
            return f"revoked on {one.revoked_at:%Y-%m-%d}"
        case LinkState.USED:
            return f"used on {one.accepted_at:%Y-%m-%d}"
        case LinkState.EXPIRED:
            return "link has expired"
        case LinkState.DISOWNED:
            return "link is no longer valid: its creator may not invite any more"
        case LinkState.OPEN:
            return f"link is valid until {one.expires_at:%Y-%m-%d}"


def _link(invited: Invited) -> str:
    return link_of(session.services().settings.public_url, invited.token)
