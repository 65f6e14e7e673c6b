"""The database: the only package that speaks SQL."""
