"""Conditions of states as SystemVerilog expressions over the model's own names."""

from __future__ import annotations

import re

from symag.core.errors import UnsupportedError
from symag.smv.model.typed import Constant, DefineReference, Expression, Operation, VariableReference
from symag.smv.model.types import WordType

_SIMPLE = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*(\.[A-Za-z_][A-Za-z0-9_$]*)*(\[[0-9]+\])*\Z")
#: IEEE 1800-2017, Annex B.
_KEYWORDS = frozenset(
    """
    accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin bind
    bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config
    const constraint context continue cover covergroup coverpoint cross deassign default defparam design disable dist
    do edge else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface
    endmodule endpackage endprimitive endprogram endproperty endsequence endspecify endtable endtask enum event
    eventually expect export extends extern final first_match for force foreach forever fork forkjoin function
    generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir
    include initial inout input inside instance int integer interconnect interface intersect join join_any join_none
    large let liblist library local localparam logic longint macromodule matches medium modport module nand negedge
    nettype new nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed parameter pmos
    posedge primitive priority program property protected pull0 pull1 pulldown pullup pulsestyle_ondetect
    pulsestyle_onevent pure rand randc randcase randsequence rcmos real realtime ref reg reject_on release repeat
    restrict return rnmos rpmos rtran rtranif0 rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared
    sequence shortint shortreal showcancelled signed small soft solve specify specparam static string strong strong0
    strong1 struct super supply0 supply1 sync_accept_on sync_reject_on table tagged task this throughout time
    timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg type typedef union unique unique0
    unsigned until until_with untyped use uwire var vectored virtual void wait wait_order wand weak weak0 weak1 while
    wildcard wire with within wor xnor xor
    """.split()
)
_INFIX = {"and": "&&", "or": "||", "iff": "==", "=": "==", "!=": "!="} | {
    operator: operator for operator in ("<", "<=", ">", ">=", "+", "-", "*", "/")
}


def systemverilog(expression: Expression) -> str:
    """The expression in SystemVerilog. Numbers are 32 bits wide; names that SystemVerilog does not allow are escaped.

    Raises UnsupportedError for operators that do not occur in facts.
    """
    match expression:
        case Constant(value=bool(value)):
            return "1'b1" if value else "1'b0"
        case Constant(value=value, type=WordType(width, _)):
            return f"{width}'d{int(value) & ((1 << width) - 1)}"
        case Constant(value=value):
            return _name(str(value)) if isinstance(value, str) else str(value)
        case VariableReference(name=name) | DefineReference(name=name):
            return _name(name)
        case Operation("not", (inner,)):
            return f"!{_inner(inner)}"
        case Operation("toint", (inner,)):
            return f"32'({systemverilog(inner)})"
        case Operation("bool", (inner,)):
            return systemverilog(inner)
        case Operation("select", (VariableReference() as variable, Constant(value=high), Constant(value=low))):
            return f"{systemverilog(variable)}[{high}]" if high == low else f"{systemverilog(variable)}[{high}:{low}]"
        case Operation("implies", (left, right)):
            # Yosys does not read the operator ->.
            return f"!{_inner(left)} || {_inner(right)}"
        case Operation("mod", (left, right)):
            return f"{_inner(left)} % {_inner(right)}"
        case Operation(operator, operands) if operator in _INFIX:
            return f" {_INFIX[operator]} ".join(_inner(operand) for operand in operands)
    raise UnsupportedError(f"'{expression.operator}' in SystemVerilog")


def _name(name: str) -> str:
    return ".".join(map(_part, name.split("."))) if _SIMPLE.match(name) else f"\\{name} "


def _part(text: str) -> str:
    name, bracket, index = text.partition("[")
    return f"\\{name} {bracket}{index}" if name in _KEYWORDS else text


def _inner(expression: Expression) -> str:
    text = systemverilog(expression)
    atomic = not isinstance(expression, Operation) or expression.operator in ("toint", "not", "select")
    return text if atomic else f"({text})"
