"""Property directed reachability, IC3 (Bradley, VMCAI 2011; Een, Mishchenko, Brayton, FMCAD 2011).

``encoding`` numbers the circuit for solvers, ``frames`` hold the over-approximations F_0 .. F_k and F_infinity with
their solvers, ``obligations`` the cubes still to be blocked, ``lifting`` enlarges states to cubes, ``generalisation``
enlarges blocked cubes, ``search`` is the main loop, ``decision`` the method,
``k_liveness`` the method for LTL.
"""
