"""Variables that need not be searched: constant ones, equal ones, and those outside the cone of influence."""
