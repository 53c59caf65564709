"""Many models unattended: suites, jobs in processes of their own, and a file of results that survives everything."""
