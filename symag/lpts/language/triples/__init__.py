"""Files of assume-guarantee triples: the section of triples, and the modules that are monitors."""
