export { bodyDecoder, isRefusal } from "./decoding/Decoder.ts"
export { readJsonInSlices, refusedMediaType } from "./pipeline/JsonBody.ts"
