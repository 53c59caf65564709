"""The commands for SMV models only."""
