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
