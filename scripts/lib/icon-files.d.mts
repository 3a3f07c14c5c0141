export function ico(pictures: Map<number, Buffer>): Buffer
export function icns(pictures: Map<number, Buffer>): Buffer
