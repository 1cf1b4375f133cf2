"""Themes of a project: collecting findings, asking a model, and what a lead does with the codebook."""
