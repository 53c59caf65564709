"""From syntax to a typed, flat system: instances, names, types, assignments."""
