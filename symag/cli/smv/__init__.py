"""The commands for SMV models only: what they show, other families do not have."""
