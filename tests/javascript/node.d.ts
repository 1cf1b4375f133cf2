// What Node brings, as far as these tests use it: without types, so that nothing is installed for them.
declare module "node:assert/strict";
declare module "node:test";
