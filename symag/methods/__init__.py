"""The methods: one file each, a model, a property and options in, a result out."""
