// Runs the conformance suite, also on a Node whose fs has no globSync yet.
import fs from 'node:fs';
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';

if (!('globSync' in fs)) {
  const shim = "export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];";
  const hooks = `export async function resolve(name, context, next) {
    return name === 'fs' && context.parentURL?.includes('/conformance/dist/')
      ? { url: ${JSON.stringify('data:text/javascript,' + encodeURIComponent(shim))}, shortCircuit: true }
      : next(name, context);
  }`;
  register('data:text/javascript,' + encodeURIComponent(hooks), import.meta.url);
}
await import(pathToFileURL('node_modules/@modelcontextprotocol/conformance/dist/index.js').href);
