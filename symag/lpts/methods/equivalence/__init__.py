"""Are two systems equivalent?"""
