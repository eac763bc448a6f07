/** Dependencies and a fresh build, as `npm start` and `npm test` do it. */
import { build, install } from '../../.ci/setup.mjs';

if (!(await install()) || !(await build())) process.exitCode = 1;
