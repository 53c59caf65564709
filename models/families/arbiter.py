"""A synchronous arbiter with any number of elements, a circulating token and a priority chain.

McMillan's arbiter in a text of our own (the family "syncarb" of the paper, FMSD 2008, section 7): the grant
runs down a chain from element 0, so low numbers have priority; an element that still requests when the token
comes round for the second time overrides the chain.
"""

from __future__ import annotations

from document import document, run


def model(elements: int) -> str:
    """``elements`` clients, at least 2; each has a request, a token and a persistence bit."""
    if elements < 2:
        raise ValueError("an arbiter has at least 2 elements")
    last = elements - 1
    about = (
        f"a synchronous arbiter with {elements} elements (priority chain, circulating token). Our own text of "
        "McMillan's arbiter, the example \"syncarb\" in the paper of 2008; the authors' files are lost. No two "
        "elements are ever served together; but the last one, although it requests alone, may have to wait one "
        "step for an override that outlives its request."
    )
    tokens = [
        f"e{k} : Element(e{(k - 1) % elements}.token, {_grant(k)}, {'TRUE' if k == 0 else 'FALSE'});"
        for k in range(elements)
    ]
    overrides = " | ".join(f"e{k}.override" for k in range(elements))
    pairs = [f"!(e{j}.served & e{k}.served)" for j in range(elements) for k in range(j + 1, elements)]
    others = " & ".join(f"!e{k}.request" for k in range(last))
    body = f"""
MODULE Element(token_in, grant_in, has_token)
VAR
  request : boolean;
  token : boolean;
  persistent : boolean;   -- has been requesting since the token was here
ASSIGN
  init(token) := has_token;
  next(token) := token_in;
  init(persistent) := FALSE;
  next(persistent) := request & (persistent | token);
DEFINE
  override := persistent & token;
  served := request & (override | grant_in);
  grant_out := grant_in & !request;

MODULE main
VAR
  {(chr(10) + "  ").join(tokens)}
DEFINE
  start := !({overrides});   -- the grant that enters the chain
INVARSPEC NAME exclusive :=
  {(" &" + chr(10) + "  ").join(pairs)};
INVARSPEC NAME alone := {others} & e{last}.request -> e{last}.served;
"""
    verdicts = {"exclusive": "holds", "alone": "violated"}
    return document(f"arbiter{elements}", about, f"arbiter.py {elements}", 3 * elements, verdicts, body)


def _grant(k: int) -> str:
    return "start" if k == 0 else f"e{k - 1}.grant_out"


if __name__ == "__main__":
    run("Print the model arbiter N.", model, {"elements": (int, None, "clients of the arbiter, at least 2")})
