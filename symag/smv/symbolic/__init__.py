"""A flat system as binary decision diagrams: encoding, expressions, transition relations, variable orders."""
