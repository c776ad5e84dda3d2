/* How similar are two sentences? The menu has a sentence model for it, all-MiniLM-L6-v2; a model that has no
 * answer leads there by one press, and the similarity splits over their tokens by a second one.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {useSite, until} from './page.mjs';

const site = useSite();
const PAIR = 'text=A+man+plays+a+guitar.&textB=Someone+is+playing+an+instrument.';

test('two sentences: one press leads to the sentence model of the menu, one more to its cells', async () => {
    const page = await site.open({hash: `#v=4&model=mini2-en&${PAIR}`});
    await page.getByRole('button', {name: 'all-MiniLM-L6-v2'}).click();
    const block = page.locator('.similarity');
    const said = await until(
        () => block.locator('output').first().textContent(),
        /^0\.\d{4}$/,
        'a cosine',
    );
    // 0.6825 by transformers and sentence-transformers' own pooling, in float32
    assert.ok(Math.abs(Number(said) - 0.6825) < 0.005, said);
    await until(
        () => page.url(),
        url => url.includes('model=all-minilm-l6-v2'),
        'the model is in the link',
    );
    assert.equal(await page.getByText('This model cannot say').count(), 0);
    await block.getByRole('button', {name: 'Why?'}).click();
    await block.getByText('the cells sum to the similarity').first().waitFor();
});

test('of one sentence nothing is offered', async () => {
    const page = await site.open({hash: '#v=4&model=mini2-en&text=A+man+plays+a+guitar.&textB='});
    await page.locator('.below').waitFor();
    assert.equal(await page.getByText('This model cannot say').count(), 0);
});
