"""The words of a name, and which are too common to tell anything."""

from __future__ import annotations

import builtins
import keyword
import re

_COMMON_WORDS = """
    about after agent agents again answer answers assistant base baseline based basic best better build
    candidate case chat check checks claude code complete comparison config content control create current
    custom data date default demo design doc docs document documents draft edit editor email example
    examples expert extract extractor fast file files final first fixed folder form format full generate
    generated generator good group guide help helper home html image images improved index info initial
    input inputs invoice item iteration iterations json language large last latest left library light line
    list local long main maker make manager mini model models name names new next none note notes old only
    open original other out outcome output outputs page part path plain plan planner prev previous pro
    process project prompt prompts quick raw read reader ready repo report reports result results review
    revised right run runs same sample samples script scripts second sheet short side simple single site
    size skill skills small source spec standard start step style summary system table task tasks team
    template temp test testing tests text that the their them this time title tool tools turbo type update
    updated upgrade upgrades user users usual value variant version view web website with without work
    working workspace write writer writing your
"""
_WORDS_OF_CODE = """
    abstract align all alpha alter and animation any api app args argv array article async attr audio auto await awk
    begin between body bold bool boolean border bottom break button byte call canvas cascade case cat catch cell
    char chmod class clear color column commit concat console const constraint constructor continue convert count
    css csv curl cursor dark database debug declare decimal def delete desc describe details dev dialog dir display
    distinct div docx document double drop echo elem elif else empty end enum env error eval event exec execute
    exists exit export extends false family fetch field fieldset finally fixed flex float font footer for foreign
    form from func function generic get git global go golang grant grep grid group hash having head header height
    hidden hover href html http https icon iframe if implements import index inner insert instanceof int integer
    interface into java javascript join json key keyframes kind label lambda language left legend length let level
    limit line link load local log long loop margin mark markdown match math max media menu meta method min module
    move mut nav new node not null number object offset on opacity option order outer override package padding
    param params parent parse pdf picture pip placeholder position pre primary print printf private progress promise
    property protected protocol pub public python query raise range raw record ref references reset return root
    round row rust schema script section sed select self set shell show size slot solid sort source span split sql
    src static stderr stdin stdout step str strict string strong struct style sub sudo sum super svg switch symbol
    sync table tag tbody template test textarea tfoot thead then throw time toml tool top trait transform transition
    trigger true try type typeof typescript undefined union unique unit unset update url use using values var
    video view visible void wait where while width with xml yaml yield zip
"""
_ORDINARY_WORDS = """
    account action active actual add added adult age alone also although always amount angle animal another apple
    area arm around art ask author average away baby back bad balance ball bank bar bear beautiful because become
    before beside beta big bird black block blue board boat book both box boy bring brown budget business busy but
    buy call can car card care carry center change charge child choice city clean clear close cloud coast cold come
    common company cook cool copy corner cost could country course cover cross cup customer cut daily day days deal
    dear deep degree delta detail did different direct does done door down draw dream drive dry each early earth
    east easy eat edge effect eight empty energy enough entry equal even evening event ever every exact eye face
    fact fair fall family far farm fear feel few fight figure find fine fire fish five flat floor fly focus follow
    food foot force forest forget found four free fresh friend front fruit full fun future gamma garden gave girl
    give glass goal gold gone grand grass gray great green grey ground grow growth half hand happy hard has have
    health hear heart heat heavy her here high hill him his history hit hold hope horse hot hour hours house how
    human idea into island its job just keep kept kind king know known lady land late law lay lead learn least
    less letter life lift like likely live loss lost lot love low lower main many mark market matter may mean
    meet member might mile milk mind minute miss modern money month months moon more morning most mother mountain
    mouth move much music must near need never news nice night nine north not nothing now object ocean off offer
    office often oil omega once one only onto orange other our over own pair paper past pay peace people person
    phone piece pink place plan plant play point poor power present price print problem product public pull pure
    purple push put quarter question quick quiet quite rain rate reach real reason red rest rich ride ring rise
    risk river road rock role room rose round rule said sale salt sand save say scale school sea season seat see
    seem sell send sense serve service set seven shape share she ship shop should show side sign silver since sit
    six sky sleep slow smart snow soft some song soon sound south space speak speed spring square staff stage
    stand star state stay still stock stone stop store story street strong student study such summer sun sure
    surface take talk tall target teach tell ten than then there these they thing think third those though thought
    thousand three through today together told tomorrow too took total touch toward town trade train travel tree
    trip true trust truth turn twelve twenty two under until upon use used value very visit voice walk wall want
    war warm was wash watch water way weak week weeks weight well went were west what wheel when where which
    while white who whole why wide wife will win wind window winter wish woman wonder wood word words work world
    worth would wrong year years yellow yes yesterday yet you young zero
"""
COMMON = frozenset(_COMMON_WORDS.split())
"""Words that stand in honest outputs; a name made of nothing else is only sought in its joined forms."""

_PLAIN_WORDS = COMMON | {
    word.casefold()
    for word in (
        *_WORDS_OF_CODE.split(),
        *_ORDINARY_WORDS.split(),
        *keyword.kwlist,
        *keyword.softkwlist,
        *(name for name in dir(builtins) if name.isalpha() and name.islower()),
    )
}
"""Words of programs and of everyday language: as the whole of a name they tell nothing."""

_WORDS = re.compile(r"[^\W\d_]+\d*|\d+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name: `gkeUpgrade-planner_v2` gives gke, Upgrade, planner, v2."""
    return tuple(word for piece in _CAMEL.split(name) for word in _WORDS.findall(piece))


def is_common(name: str) -> bool:
    """Whether a name consists of common words and numbers only, or is one plain word of code or everyday language."""
    words = [word.casefold() for word in words_of(name)]
    known = _PLAIN_WORDS if len(words) == 1 else COMMON
    return all(word in known or word.isdigit() for word in words)
