internal import AlmanacPOSIX

Signal.ignoreBrokenPipes()
Process.end(status: CommandLineTool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
