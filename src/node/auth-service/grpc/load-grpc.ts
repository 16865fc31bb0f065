/** The two packages that speak gRPC. Nobody needs them for anything else. */
export interface GrpcPackages {
  readonly grpc: typeof import('@grpc/grpc-js')
  readonly loader: typeof import('@grpc/proto-loader')
}

/** The packages for gRPC are not installed. */
export class GrpcMissing extends Error {
  override readonly name = 'GrpcMissing'
  readonly code = 'GRPC_MISSING'

  constructor(cause: unknown) {
    super('gRPC needs two packages more: npm install @grpc/grpc-js@1 @grpc/proto-loader@0.8', {
      cause,
    })
  }
}

/** @throws {GrpcMissing} when one is not installed */
export async function loadGrpc(): Promise<GrpcPackages> {
  try {
    const [grpc, loader] = await Promise.all([
      import('@grpc/grpc-js'),
      import('@grpc/proto-loader'),
    ])
    return { grpc, loader }
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw code === 'ERR_MODULE_NOT_FOUND' ? new GrpcMissing(cause) : cause
  }
}
