"""The best setting by experiment: the settings that are tried, their costs, and figures that predict the costs."""
