"""The commands of `parcels`: one module per command, with HELP, EXAMPLE, arguments(parser) and run(args)."""
