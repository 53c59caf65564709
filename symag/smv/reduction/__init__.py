"""What need not be searched: constant variables, equal ones, what is outside the cone of influence."""
