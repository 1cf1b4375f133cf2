"""Projects, people, roles, invitations, sign-ins, and the audit log."""
