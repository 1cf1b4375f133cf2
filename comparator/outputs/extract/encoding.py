"""Bytes as text, in any usual encoding."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple

from comparator.domain.pair.notes import NoteKind
from comparator.outputs.isolated.results import Extraction
from comparator.outputs.limits import Limits

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ADDRESS = re.compile(rb"data:[^,]{0,120}?base64", re.IGNORECASE)
_SAMPLE = 64 * 1024
_USUAL = "cp1252"
_DECLARED = re.compile(
    rb"""<\?xml[^>]{0,80}encoding=["']([\w.-]{2,30})|<meta[^>]{0,200}charset=["']?([\w.-]{2,30})"""
    rb"""|coding[:=][ \t]*([\w.-]{2,30})""",
    re.IGNORECASE,
)
_DECLARED_WITHIN = 1024
_RUN = re.compile(rb"[\xa1-\xff\x80\x8a\x8c\x8e\x9a\x9c\x9e\x9f]+")
_LATIN = {
    "cp1252": "àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿœßšžÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜŒŠŽ€£©®°§·«»“”„‘’‚–—…•¡¿ºª×±²³½¼µ\xa0",
    "cp1250": "ąćęłńóśźżáčďéěíňřšťúůýžôäöüőűăâîșțĺľŕđĄĆĘŁŃÓŚŹŻÁČĎÉĚÍŇŘŠŤÚŮÝŽÔÄÖÜŐŰĐ§°„”“‘’–—…€\xa0",
    "cp1254": "çğıöşüâîûÇĞİÖŞÜ“”‘’–—…€\xa0",
}
"""What is usual in Western, Central European and Turkish texts, by their code pages."""
_HAN = (
    "的一是不了在人有我他这個个們们中來来上大為为和國国地到以說说時时要就出會会可也你對对生能而子那得於于著着下自之年過过發发後后作裡里"
    "用道行所然家種种事成方多經经麼么去法學学如都同現现當当沒没動动面起看定天分還还進进好小部其些主樣样理心她本前開开但因只從从想實实日"
    "意無无力它與与長长把機机十民第公此已工使情明性知全三又關关點点正業业外將将兩两高間间由問问很最重並并物手應应向頭头文體体相見见被利"
    "什二等產产或新己制身果加月話话合回特代內内信表化老給给世位次度門门任常先海通教原東东聲声提立及比員员解水名真論论走各入口認认條条平"
    "系氣气題题活更別别打女變变四總总何電电數数安少報报結结反受目太量再感建務务做接必場场件計计管期市直資资金指統统保至形便空決决展科五"
    "基書书非則则聽听達达光放強强像難难且思王完設设式色路記记南品住告類类求據据程北邊边該该交規规萬万取望術术領领共確确傳传師师清今請请"
    "這这訊讯檔档案週周價价格總计表約约單单測测試试價錢钱食店買买賣卖寫写讀读錯错誤误點输輸入出結尾字京阪気発順続経済図号変対読込謝谢您貴贵"
)
_OTHERS = {
    "cp1251": "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфОЕАИНТСРВЛКМДПУЯБЗГЧЙЖХЮЦЩЭШіїєґё№«»—–…",
    "koi8-r": "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфОЕАИНТСРВЛКМДПУЯБЗГЧЙЖХЮЦЩЭШё",
    "cp866": "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфОЕАИНТСРВЛКМДПУЯБЗГЧЙЖХЮЦЩЭШё№",
    "cp1253": "αοιετσνηυρπκλςμωάδγίέόήύθχώβφξζψΑΟΙΕΤΣΝΗΥΡΠΚΛΜΔΓΩΘΧΒΦΆΈΊΌΉΎΏ«»–…’",
    "cp1255": "אבגדהוזחטיכךלמםנןסעפףצץקרשת",
    "cp1256": "ابتثجحخدذرزسشصضطظعغفقكلمنهويىءآأؤإئة،؟",
    "cp932": _HAN,
    "euc_jp": _HAN,
    "gb18030": _HAN + "，。、：；！？（）《》“”",
    "big5": _HAN + "，。、：；！？（）「」",
    "cp949": "이다는을의가에하고한지기사로어도서자니스인시리라정해대나아일보전제수습요계안주세오성부공구동있합게그으"
    "들여원과만장상무조신소우유용선연경행문미방물발결모표현분화목타데터저류러음국새통트테확번째첫다음단편름력입파완날씨좋울산감녕늘은",
}
"""The letters of other scripts, the most frequent ones first where it matters, by their code pages."""
_KANA = re.compile("[\u3041-\u30ff]")
_MIXED = re.compile("[^\x00-\x7f](?=[A-Za-z])|(?<=[A-Za-z])[^\x00-\x7f]")
_ODD = {
    "cp1252": re.compile(
        "[ìòù](?=[a-zà-ÿ])|(?<![a-zà-ÿ])è(?![rs])|[áíúýšž][èìøù]|[èìøù][áíúýšž]|ø[iíìu]|œ(?![uidcns])|æ(?![a-zà-ÿ])"
        "|[zj]ê|[zs]iê|(?<=[a-zà-ÿ])[¹³¿¼Ÿ]|[³¹¼](?=[a-zà-ÿ])|[íó]³|³[óy]|(?<=[a-z])[^\\x00-\\x7f\\w’‘·«»“”…–—](?=[a-z])",
        re.IGNORECASE,
    )
}
"""What no Western language writes: letters that end words elsewhere, neighbours from different languages."""
_CJK_PUNCTUATION = re.compile("[\u3000-\u3011\uff01-\uff1f]")
_LIKELY = 0.45
"""The share of letters typical of an encoding from which it is believed."""


class Decoded(NamedTuple):
    """Text, and the encoding it was read as."""

    text: str
    encoding: str
    guessed: bool
    invalid: int = 0
    """How many places of UTF-8 cannot be read; each is shown as �."""


def decode(data: bytes, *, undeclared: str | None = None) -> Decoded:
    """Bytes as text: by byte-order mark, as UTF-8, by what they declare, as UTF-16 without a mark, else by a guess.

    `undeclared` is what was guessed for this file and others together.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return Decoded(data.decode(encoding, "replace"), encoding, guessed=False)
    without_mark = utf16_without_mark(data[:_SAMPLE]) if b"\0" in data[:_SAMPLE] else None
    if without_mark is None and (text := _utf8(data)) is not None:
        return Decoded(text, "utf-8", guessed=False)
    if without_mark is None and (invalid := _faults(data)):
        return Decoded(data.decode("utf-8", "replace"), "utf-8", guessed=False, invalid=invalid)
    if without_mark is None and (declared := _declared(data)) is not None:
        return Decoded(data.decode(declared, "replace"), declared, guessed=False)
    encoding = without_mark or undeclared or guess([data])
    return Decoded(data.decode(encoding, "replace"), encoding, guessed=True)


def is_undeclared(data: bytes) -> bool:
    """Whether nothing says which encoding these bytes are in, so that it has to be guessed."""
    if data.isascii() or any(data.startswith(mark) for mark, _ in _MARKS):
        return False
    if _utf8(data) is not None:
        return False
    return utf16_without_mark(data[:_SAMPLE]) is None and not _faults(data) and _declared(data) is None


def _utf8(data: bytes) -> str | None:
    """The text where it is UTF-8; a last character that is cut off is left out if there are others beyond ASCII."""
    with suppress(UnicodeDecodeError):
        return data.decode()
    with suppress(UnicodeDecodeError):
        text = codecs.getincrementaldecoder("utf-8")().decode(data)
        return None if text.isascii() else text
    return None


def _declared(data: bytes) -> str | None:
    match = _DECLARED.search(data[:_DECLARED_WITHIN])
    name = next((each.decode() for each in match.groups() if each), None) if match else None
    with suppress(LookupError, UnicodeDecodeError):
        if name is not None and codecs.lookup(name).name not in ("utf-8", "utf-16", "utf-32"):
            data.decode(name)
            return codecs.lookup(name).name
    return None


def _faults(data: bytes) -> int:
    """How many places of bytes that are meant as UTF-8 are not; 0 where they are meant as something else.

    By chance, letters of another encoding are hardly ever whole characters of UTF-8.
    """
    read = data.decode("utf-8", "replace")
    invalid = read.count("\N{REPLACEMENT CHARACTER}") - data.count("\N{REPLACEMENT CHARACTER}".encode())
    whole = sum(letter > "\x7f" for letter in read) - invalid
    return invalid if whole > 4 * invalid else 0


def utf16_without_mark(sample: bytes) -> str | None:
    """`utf-16-le` or `utf-16-be` if every other byte is mostly zero, or is at the beginning, else None."""
    pairs = len(sample) // 2
    for encoding, zeros, others in (
        ("utf-16-le", sample[1:8:2], sample[:8:2]),
        ("utf-16-be", sample[:8:2], sample[1:8:2]),
    ):
        if zeros and not any(zeros) and all(32 <= byte < 127 or byte in b"\t\r\n" for byte in others):
            return encoding
    if pairs < 2:
        return None
    low, high = sample[0 : pairs * 2 : 2], sample[1 : pairs * 2 : 2]
    if high.count(0) > pairs * 0.7 > low.count(0):
        return "utf-16-le"
    if low.count(0) > pairs * 0.7 > high.count(0):
        return "utf-16-be"
    return None


def read_plain(data: bytes, limits: Limits) -> Extraction:
    """Text as it is, up to the limit; with a note on a guessed encoding."""
    decoded = decode(data[: limits.text_bytes])
    text = decoded.text.replace("\r\n", "\n").replace("\r", "\n")
    notes: list[str] = []
    if decoded.guessed:
        notes.append(f"It is not UTF-8; it was read as {decoded.encoding}.")
    if decoded.invalid:
        many = decoded.invalid > 1
        places = f"{decoded.invalid:,} places" if many else "1 place"
        notes.append(f"{places} of it cannot be read as UTF-8 and {'are' if many else 'is'} shown as �.")
    if "\0" in text:
        text = text.replace("\0", "\N{REPLACEMENT CHARACTER}")
        notes.append("It holds zero characters, which are shown as �.")
    omitted = max(0, len(data) - limits.text_bytes)
    if omitted:
        notes.append(NoteKind.FIRST_BYTES_READ.text(read=limits.text_bytes, omitted=omitted))
        text += f"\n[… about {omitted:,} characters left out here …]\n"
    return Extraction(text=text, omitted=omitted, notes=tuple(notes))


def has_embedded_pictures(data: bytes) -> bool:
    """Whether text holds data addresses, which can carry more than can be seen."""
    return _ADDRESS.search(data) is not None


def guess(samples: Sequence[bytes]) -> str:
    """The one encoding in which all these files, of which none says its own, are most likely written.

    Windows-1252 unless there is strong evidence for another: letters that are typical for that one, and few that are
    typical for this. Western texts never have three accented letters in a row; other scripts always have.
    """
    data = b"\n".join(sample[:_SAMPLE] for sample in samples)
    runs = [run for run in _RUN.findall(data) if not run.isascii()]
    in_rows = 2 * sum(len(run) for run in runs if len(run) >= 3) > sum(map(len, runs))
    # In Shift-JIS and Big5 every other byte may be a letter of ASCII.
    others = _OTHERS if in_rows else {each: _OTHERS[each] for each in ("cp932", "big5")}
    scores = {encoding: _typical(data, encoding, usual) for encoding, usual in others.items()}
    best = max(scores, key=lambda encoding: scores[encoding])
    if scores[best] >= (_LIKELY if in_rows or best == "cp932" else 2 * _LIKELY):
        return best
    latin = {encoding: _fits(data, encoding, usual) for encoding, usual in _LATIN.items()}
    best = max(latin, key=lambda encoding: latin[encoding])
    return best if latin[best] > latin[_USUAL] + _LIKELY / 2 else _USUAL


def _typical(data: bytes, encoding: str, usual: str) -> float:
    """The share of letters beyond ASCII that are typical for texts in this encoding; 0 where it cannot be."""
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(data)
    except UnicodeDecodeError:
        return 0.0
    foreign = [each for each in text if each > "\x7f" and not _CJK_PUNCTUATION.match(each)]
    if not foreign:
        return 0.0
    mixed: float = sum(each[0] > "\x7f" for each in _MIXED.findall(text)) / len(foreign)
    share: float = sum(each in usual for each in foreign) / len(foreign)
    if encoding in ("cp932", "euc_jp"):
        kana: float = sum(_KANA.match(each) is not None for each in foreign) / len(foreign)
        return kana + share - mixed if kana >= 0.2 else 0.0
    if encoding in ("gb18030", "big5", "cp949"):
        return 1.5 * share - mixed
    # The first letter is the most frequent one.
    weights = {letter: 1 - place / len(usual) for place, letter in enumerate(usual)}
    weight: float = sum(weights.get(each, -1.0) for each in foreign) / len(foreign)
    return weight - _odd_capitals(text) - mixed


def _fits(data: bytes, encoding: str, usual: str) -> float:
    """How well a Latin code page fits, 1 at the best."""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return 0.0
    foreign = [each for each in text if each > "\x7f"]
    if not foreign:
        return 0.0
    odd = len(_ODD[encoding].findall(text)) if encoding in _ODD else 0
    return sum(each in usual for each in foreign) / len(foreign) - odd / len(foreign) - _odd_capitals(text)


def _odd_capitals(text: str) -> float:
    """The share of letters beyond ASCII that are capitals behind a small letter."""
    foreign = sum(each > "\x7f" for each in text)
    odd = sum(right > "\x7f" and right.isupper() and left.islower() for left, right in pairwise(text))
    return odd / foreign if foreign else 0.0
