"""What methods by parts say, made answers with runs of the whole."""
