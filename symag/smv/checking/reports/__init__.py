"""What is shown of answers about SMV models: certificates, traces, runs, pictures."""
