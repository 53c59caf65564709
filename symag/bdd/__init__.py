"""Binary decision diagrams behind one contract."""
