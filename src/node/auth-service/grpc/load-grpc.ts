import { GrpcMissing } from './grpc-missing.js'

/** The two packages that speak gRPC. Nobody needs them for anything else. */
export interface GrpcPackages {
  readonly grpc: typeof import('@grpc/grpc-js')
  readonly loader: typeof import('@grpc/proto-loader')
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
