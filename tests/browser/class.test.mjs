/* A class in Chromium: a teacher makes a link with two questions in "Share…", a student opens it, answers, and saves
 * a file; `headlight grade` reads that file. A second link in the same tab asks its own text.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {headlight} from '../js/lib/model.mjs';
import {menu, pieces, until, useSite} from './page.mjs';

const site = useSite();
const scratch = mkdtempSync(join(tmpdir(), 'headlight-class-'));
after(() => rmSync(scratch, {recursive: true}));

const SHOWN = '#v=5&lang=en&model=mini4-en&text=The%20cat%20sat.&layer=0&heads=6&picked=2&token=2';

/** The link with what is shown as a question. */
async function questionLink(page) {
    await page.locator('.column.query .token').first().waitFor();
    const opened = await menu(page, '.export');
    await opened.getByRole('button', {name: /…$/}).click();
    const field = page.getByLabel(/^Or a question for a class/, {exact: false}).last();
    await field.waitFor();
    return field.inputValue();
}
const token = (page, name) =>
    page.locator('.pick-tokens').getByRole('button', {name, exact: true}).first();

test('two questions of a link are answered and handed in, and the file is graded', async () => {
    const teacher = await site.open({hash: SHOWN});
    const one = await questionLink(teacher);
    assert.match(one, /#v=5&model=mini4-en&text=The%20cat%20sat\.&tour=0&lesson=ask\w+-0\.6\.2$/);
    await teacher.goto('about:blank');
    await teacher.goto(one.replace('#', '#lang=en&'));
    await token(teacher, 'sat').click();
    await teacher.locator('.lesson .answer').waitFor();
    await teacher.locator('.column.query .token').nth(1).click();
    const link = await questionLink(teacher);
    assert.match(link, /&lesson=ask\w+-0\.6\.2-0\.6\.1$/);

    const student = await site.open({hash: `${link.slice(link.indexOf('#'))}&lang=en`});
    assert.equal(await student.locator('.lesson .place span').textContent(), 'Questions · 1 of 2');
    await student.getByText('Which token does the marked one attend to most in L0·H6?').waitFor();
    await token(student, 'sat').click();
    await student.locator('.lesson .answer').waitFor();
    const best = await student.locator('.pick-tokens .best').textContent();
    await student.getByRole('button', {name: 'Next', exact: true}).click();
    await until(() => student.locator('.pick-tokens .asks').textContent(), 'the', 'the second');
    await student.locator('.patterns button').first().click();
    await until(() => student.locator('.pick-tokens .asks').textContent(), 'cat', 'the first');
    await student.getByRole('button', {name: 'Next', exact: true}).click();
    const name = student.getByLabel('Name');
    await name.fill('Ada Lovelac');
    await name.press('ArrowLeft');
    await name.press('End');
    await name.press('e');
    assert.match(
        await student.locator('.lesson .place').textContent(),
        /2 of 2/,
        'no page is turned',
    );
    const [file] = await Promise.all([
        student.waitForEvent('download'),
        student.getByRole('button', {name: 'File to hand in'}).click(),
    ]);
    assert.match(file.suggestedFilename(), /^headlight-ask\w+-0\.6\.2-0\.6\.1-Ada Lovelace\.json$/);
    await file.saveAs(join(scratch, 'ada.json'));
    const graded = spawnSync(headlight, ['grade', scratch], {encoding: 'utf8'});
    assert.equal(graded.status, 0, graded.stderr);
    const right = best === 'sat' ? 1 : 0;
    const missed = right ? '2' : '1, 2';
    assert.equal(
        graded.stdout.split('\n')[0],
        `Ada Lovelace: ${right} of 2 right; missed ${missed} (not answered: 2)`,
    );

    await student.evaluate(hash => {
        location.hash = hash;
    }, '#v=5&lang=en&model=mini4-en&text=Birds%20sing.&tour=0&lesson=ask1-0.6.1');
    await until(
        () => pieces(student),
        all => all.includes('birds'),
        'the text of the second link',
    );
    await token(student, 'sing').waitFor();
    assert.equal(await student.getByText('This step cannot be measured here.').count(), 0);
    assert.equal(await student.locator('.lesson .answer').count(), 0, 'no answer is there yet');
});

test('a question about a head or a token that is not there says so', async () => {
    for (const place of ['0.6.40', '0.40.1', '40.6.1']) {
        const hash = `#v=5&lang=en&model=mini4-en&text=Birds%20sing.&tour=0&lesson=ask-${place}`;
        const page = await site.open({hash});
        await page.getByText('This step cannot be measured here.').waitFor();
        await page.close();
    }
});
