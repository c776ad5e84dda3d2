/* picture - docs/page.png, the picture in the README, taken from the running page: node tests/browser/picture.mjs
 * The guided tour's second step (the previous word) on the two sentences that the page opens with.
 */
import {startSite} from './page.mjs';

const site = await startSite();
const page = await site.open({hash: '#tour=1', width: 1280, height: 860});
await page.waitForSelector('.tour h2');
await page.waitForTimeout(1500);
await page.screenshot({path: 'docs/page.png'});
await site.close();
