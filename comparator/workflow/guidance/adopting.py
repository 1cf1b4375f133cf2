"""Puts guidance in force that passed its test, and takes it back."""

from __future__ import annotations

from comparator.domain.errors import InputError
from comparator.domain.labels import Frozen
from comparator.domain.rights import Act
from comparator.store.judging import guidance
from comparator.store.judging.guidance import Adoption, Proof, StoredSplit, Version
from comparator.workflow.people.people import authorise, require
from comparator.workflow.services import Services


class ProjectGuidance(Frozen):
    """All that a project has of guidance, the newest first."""

    split: StoredSplit | None
    versions: tuple[Version, ...]
    proofs: tuple[Proof, ...]
    adoptions: tuple[Adoption, ...]

    @property
    def adopted(self) -> Version | None:
        """The version in force."""
        adopted = self.adoptions[0].guidance_id if self.adoptions else None
        return next((each for each in self.versions if each.id == adopted), None)

    def proofs_of(self, version: Version) -> tuple[Proof, ...]:
        """The tests of one version."""
        return tuple(each for each in self.proofs if each.guidance_id == version.id)

    def may_be_adopted(self, version: Version) -> bool:
        """Whether it passed a test, or was adopted before."""
        adopted_before = any(each.guidance_id == version.id for each in self.adoptions)
        return adopted_before or any(each.result and each.result.passes for each in self.proofs_of(version))


def guided(services: Services, project_id: str, *, person_id: str | None) -> ProjectGuidance:
    """What the project has of guidance. Raises RightsError: it tells what people said of pairs."""
    with services.database.read() as connection:
        require(connection, person_id, Act.CHANGE_SETTINGS, project_id=project_id)
        return ProjectGuidance(
            split=guidance.newest_split(connection, project_id),
            versions=guidance.versions(connection, project_id),
            proofs=guidance.proofs(connection, project_id),
            adoptions=guidance.adoptions(connection, project_id),
        )


def adopt(services: Services, project_id: str, number: int | None, *, person_id: str | None) -> None:
    """Have the project's judges go by this version from now on, or (None) by none.

    What is judged already stays as it is. Raises RightsError, NotFound, and InputError for a version that neither
    passed its test nor was adopted before.
    """
    state = guided(services, project_id, person_id=person_id)
    with services.write() as unit:
        version = None if number is None else guidance.numbered(unit.connection, project_id, number)
        if version is not None and not state.may_be_adopted(version):
            raise InputError(
                f"Guidance version {number} has not passed a test on held-out pairs. Prove it first."
            )
        if (version and version.id) == (state.adopted and state.adopted.id):
            return
        guidance.adopt(unit, project_id, version.id if version else None, person_id=person_id)
        authorise(
            unit,
            Act.CHANGE_SETTINGS,
            "guidance_adopted",
            person_id=person_id,
            project_id=project_id,
            subject_id=version.id if version else None,
            detail={"number": number},
        )
