"""Outputs are copied at once; what must not be read is refused by name and the rest goes on."""

import io
import os
import socket
import stat
import tarfile
import threading
import zipfile
from pathlib import Path

import pytest

from comparator.domain.errors import LimitExceeded, OutputRefused
from comparator.outputs.limits import Limits
from comparator.outputs.member_names import find_members, read_descriptor, read_member
from comparator.outputs.snapshot import RefusedMember, Snapshot, Upload, snapshot_tree
from tests.worlds.files.outputs import World, zipped


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "output"
    (root / "deep" / "er").mkdir(parents=True)
    (root / "report.md").write_text("# Report")
    (root / "deep" / "er" / "data.csv").write_text("a,b")
    return root


def _paths(snapshot: Snapshot) -> list[str]:
    return [artifact.path for artifact in snapshot.artifacts]


def _reasons(snapshot: Snapshot) -> dict[str, str]:
    return {refused.path: refused.reason for refused in snapshot.refused}


def test_a_folder_is_copied_with_its_tree_and_same_bytes_once(world: World, folder: Path) -> None:
    (folder / "copy.md").write_text("# Report")
    snapshot, again = world.path(folder), world.path(folder)
    (folder / "report.md").write_text("changed later")

    assert (snapshot.is_folder, snapshot.name) == (True, "output")
    assert _paths(snapshot) == ["copy.md", "deep/er/data.csv", "report.md"]
    assert world.blobs.get(snapshot.artifacts[2].sha256) == b"# Report"
    assert world.blobs.written == 2
    assert snapshot == again


def test_links_pipes_sockets_devices_and_empty_folders_are_refused(world: World, folder: Path) -> None:
    secret = folder.parent / "secret.txt"
    secret.write_text("secret")
    (folder / "out.txt").symlink_to(secret)
    (folder / "up.txt").symlink_to("../secret.txt")
    (folder / "parent").symlink_to("..")
    (folder / "loop").symlink_to("loop")
    (folder / "inside.md").symlink_to("report.md")
    links = dict.fromkeys(["inside.md", "loop", "out.txt", "parent", "up.txt"], "it is a link")
    with pytest.raises(OutputRefused, match="null cannot be read: it is a device"):
        world.path(Path(os.devnull))
    (folder.parent / "empty" / "inner").mkdir(parents=True)
    with pytest.raises(OutputRefused, match="The folder is empty"):
        world.path(folder.parent / "empty")
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(folder)
        server.bind("sock")
        os.chdir(here)
        snapshot = world.path(folder)

    assert _paths(snapshot) == ["deep/er/data.csv", "report.md"]
    pipes = dict.fromkeys(["pipe", "sock"], "it is a device, socket or pipe")
    assert _reasons(snapshot) == links | pipes


def test_by_products_are_one_line_and_are_not_read(world: World, folder: Path) -> None:
    for name in (".git/objects", "node_modules/left", "__pycache__", "env", "target"):
        (folder / name).mkdir(parents=True)
    for name in (
        *(".git/objects/1", ".git/HEAD", "node_modules/left/index.js", "env/pyvenv.cfg"),
        *("target/CACHEDIR.TAG", ".DS_Store"),
    ):
        (folder / name).write_text("")
    snapshot = world.path(folder)

    assert _paths(snapshot) == ["deep/er/data.csv", "report.md"]
    assert _reasons(snapshot) == {
        ".git": "version control, not read",
        "node_modules": "installed packages, not read",
        "__pycache__": "a cache, not read",
        "env": "a virtual environment, not read",
        "target": "a cache, not read",
    }


def test_a_file_without_rights_is_named(world: World, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def refusing(path: object, *args: object, **options: object) -> int:
        if path == folder / "report.md":
            raise PermissionError(13, "Permission denied")
        return real(path, *args, **options)  # type: ignore[arg-type] # handed through

    monkeypatch.setattr(os, "open", refusing)

    assert _reasons(world.path(folder)) == {"report.md": "the rights to read it are missing"}


def test_a_file_that_became_a_link_after_it_was_listed_is_not_followed(world: World, folder: Path) -> None:
    members = find_members(folder, world.limits)
    secret = folder.parent / "secret.txt"
    secret.write_text("secret")
    (folder / "report.md").unlink()
    (folder / "report.md").symlink_to(secret)
    (folder / "deep").rename(folder.parent / "deep")
    (folder / "deep").symlink_to(folder.parent / "deep")

    for member in members:
        with pytest.raises(OutputRefused, match="became a link"):
            read_member(member, world.limits)


def test_a_file_that_grows_while_it_is_read_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    descriptor = os.open(folder / "report.md", os.O_RDONLY)
    grown = threading.Event()
    real = os.read

    def growing(fd: int, size: int) -> bytes:
        if fd == descriptor and not grown.is_set():
            grown.set()
            with (folder / "report.md").open("a") as file:
                file.write("more")
        return real(fd, size)

    monkeypatch.setattr(os, "read", growing)
    with pytest.raises(OutputRefused, match="changed while it was read"):
        read_descriptor(descriptor, Limits())


def test_what_is_too_large_too_deep_or_too_many_is_refused(tmp_path: Path, folder: Path) -> None:
    for limits, paths, reasons in (
        (Limits(bytes_per_file=4), ["deep/er/data.csv"], {"report.md": "it is larger than 4 bytes"}),
        (Limits(folder_depth=1), ["report.md"], {"deep/er": "it lies more than 1 folders deep"}),
    ):
        snapshot = World(tmp_path / "blobs", limits=limits).path(folder)
        assert (_paths(snapshot), _reasons(snapshot)) == (paths, reasons)
    world = World(tmp_path / "none", limits=Limits(files=1))
    with pytest.raises(LimitExceeded, match="more than 1 files"):
        world.path(folder)
    assert world.blobs.written == 0


def test_upload_names_that_lead_elsewhere_are_refused_by_name(world: World) -> None:
    snapshot = world.uploads(
        {"/etc/x": "1", "../y": "2", "C:\\z": "3", "a\\..\\..\\b": "4", "ok\\fine.txt": "5", "w": ""}
    )

    assert _paths(snapshot) == ["ok/fine.txt", "w"]
    assert len(_reasons(snapshot)) == 4


def test_a_tree_keeps_its_places_and_refuses_names_that_lead_elsewhere(world: World) -> None:
    files = (Upload("top/a.md", b"a"), Upload("../b.md", b"b"), Upload("/etc/c", b"c"))
    given = (RefusedMember(path="d", reason="it was a link"),)

    snapshot = snapshot_tree("../out", files, given, blobs=world.blobs, limits=world.limits)

    assert (snapshot.name, snapshot.is_folder) == ("out", True)
    assert [artifact.path for artifact in snapshot.artifacts] == ["top/a.md"]
    assert [refusal.path for refusal in snapshot.refused] == ["../b.md", "d", "etc/c"]


def tarred(mode: str, members: dict[str, bytes], **links: bytes) -> bytes:
    """A tar of these files, and of links and devices by their types."""
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode=mode) as tar:  # type: ignore[call-overload] # a mode of the list below
        for name, data in {**dict.fromkeys(links, b""), **members}.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            if name in links:
                info.type, info.linkname = links[name], "/etc/passwd"
            tar.addfile(info, io.BytesIO(data))
    return output.getvalue()


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_tar_alone_is_unpacked_whatever_it_is_packed_with(world: World, mode: str) -> None:
    data = tarred(mode, {"top/a.txt": b"one", "top/b/c.txt": b"two"})
    snapshot = world.uploads({"output.tar": data})

    assert snapshot.is_folder
    assert _paths(snapshot) == ["a.txt", "b/c.txt"]


def test_members_that_lead_elsewhere_links_and_devices_are_refused_by_name(world: World) -> None:
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as archive:
        archive.writestr("ok.txt", "fine")
        archive.writestr("../evil.txt", "x")
        archive.writestr("/abs.txt", "x")
        link = zipfile.ZipInfo("link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    snapshot = world.uploads({"a.zip": output.getvalue()})

    assert _paths(snapshot) == ["ok.txt"]
    reasons = {"it is a link", "its name is an absolute path", "its name leads out of the folder"}
    assert set(_reasons(snapshot).values()) == reasons

    kinds = {"sym": tarfile.SYMTYPE, "hard": tarfile.LNKTYPE, "dev": tarfile.CHRTYPE, "f": tarfile.FIFOTYPE}
    snapshot = world.uploads({"a.tar": tarred("w", {"ok.txt": b""}, **kinds)})
    assert (_paths(snapshot), set(_reasons(snapshot))) == (["ok.txt"], set(kinds))


def encrypted() -> bytes:
    data = bytearray(zipped({"a.txt": "secret"}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(signature) + offset] |= 1
    return bytes(data)


BOMB = zipped({"zeros": b"\0" * 60_000_000})


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("bomb.zip", BOMB, "more than 200 times its size"),
        # One that lies about its sizes is no way around the limit.
        ("liar.zip", BOMB.replace((60_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little")), "."),
        ("bomb.tar.gz", tarred("w:gz", {"zeros": b"\0" * 60_000_000}), "zip bomb"),
        ("locked.zip", encrypted(), r"encrypted\. Unpack it"),
    ],
)
def test_a_bomb_or_an_encrypted_archive_is_refused(world: World, name: str, data: bytes, why: str) -> None:
    with pytest.raises((LimitExceeded, OutputRefused), match=why):
        world.uploads({name: data})
    assert world.blobs.written == 0


def test_a_damaged_member_is_refused_by_name_and_the_rest_goes_on(world: World) -> None:
    data = bytearray(zipped({"bad.txt": os.urandom(500), "good.txt": "fine"}))
    data[100] ^= 0xFF
    snapshot = world.uploads({"a.zip": bytes(data)})

    assert _paths(snapshot) == ["good.txt"]
    assert _reasons(snapshot) == {"bad.txt": "it is damaged and cannot be unpacked"}
