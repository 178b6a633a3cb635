// The wire types are generated once, in the TypeScript package, which has to be installable alone. Types leave nothing
// behind in what is built here.
export type * from '../../../sdk/typescript/src/generated/protocol';
