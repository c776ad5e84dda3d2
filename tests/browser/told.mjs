/* told - a step of a lesson told by the page, for tests/browser/stories.test.mjs and `npm run stories`: its link is
 * opened, its number is read off the page and held against its bound, and what it is about is in the window: at 1280
 * and 1440 px without scrolling, at 390 px within one swipe.
 */
import assert from 'node:assert/strict';
import {holds} from '../../web/lessons/seen.js';
import {lessons} from '../js/lib/lessons.mjs';
import {until} from './page.mjs';

/** The steps of all lessons. */
export const steps = Object.entries(lessons).flatMap(([id, {steps: list}]) =>
    list.map((step, at) => ({...step, name: `${id}.${at}`, lesson: id, at})),
);
export const ARTICLES = ['vig1', 'vig2', 'chapter', 'vector', 'heads'];

/** A step of an article that tells a story, or several. */
export const isStory = ({lesson, stories}) => ARTICLES.includes(lesson) && stories;

export const linkOf = ({lesson, at}) => `#v=2&lang=en&lesson=${lesson}&step=${at}`;
export const go = (page, hash) =>
    page.evaluate(to => {
        location.hash = to;
    }, hash);
/** The number that a step shows, once it is that step's. */
export const number = (page, name, fits) =>
    until(
        () =>
            page.evaluate(
                step =>
                    document
                        .querySelector(`[data-step="${step}"] .seen-number[data-value]`)
                        ?.getAttribute('data-value') ?? null,
                name,
            ),
        value => value !== null && fits(Number(value)),
        name,
    );

/** Where the figure of a step stands, and in it what is pinned; what a window shows of the page. */
const placesOf = (page, {figure, page: study}) =>
    page.evaluate(
        ([part, named]) => {
            const placed = list =>
                list.map(element => {
                    const {top, bottom, left, width} = element.getBoundingClientRect();
                    const seen = document.elementFromPoint(left + width / 2, (top + bottom) / 2);
                    return {top, bottom, covered: !element.contains(seen)};
                });
            const all = selector => placed([...document.querySelectorAll(selector)]);
            const lesson = document.querySelector('.lesson');
            const fixed = getComputedStyle(lesson).position === 'fixed';
            return {
                figures: all(part),
                // a step that names its figure is not about the row of one token
                pinned: named ? [] : all('.figure .token[data-side="query"][aria-pressed="true"]'),
                height: fixed ? lesson.getBoundingClientRect().top : innerHeight,
            };
        },
        [figure ?? study?.find ?? '.figure', Boolean(figure)],
    );

const AT_REST = 12; // times that it is asked and the same
const LEAST = 120; // px of a figure that has no pinned row
/** Once what has come later has its place. */
const settled = (page, step, fits, what) =>
    until(() => placesOf(page, step), fits, `${step.name} ${what}`);

/** In a wide window: the figures beside each other, the pinned row or the upper part to be seen. */
const inWindow = (page, step, width) =>
    settled(
        page,
        step,
        ({figures, pinned, height}) =>
            figures.length > 0 &&
            figures.every(({top}) => Math.abs(top - figures[0].top) < 2) &&
            figures[0].top >= 0 &&
            figures[0].top + LEAST <= height &&
            pinned.length >= (step.state.picked?.length ?? 0) &&
            pinned.every(({bottom, covered}) => bottom <= height && !covered),
        `at ${width} px`,
    );

/** On a phone: what is above the lesson, moved up or down by its height at most. */
const withinSwipe = (page, step) =>
    settled(
        page,
        step,
        ({figures, pinned, height}) =>
            figures.length > 0 &&
            [figures[0].top, ...pinned.slice(0, 1).flatMap(({top, bottom}) => [top, bottom])].every(
                at => at > -height && at < 2 * height,
            ),
        'at 390 px',
    );

/** What a study's sentence says, once it does. */
async function studySays(page, {name, page: {find, match, atLeast}}) {
    const said = await until(
        () => page.evaluate(part => document.querySelector(part)?.textContent ?? '', find),
        text => new RegExp(match).test(text),
        `${name}: ${find}`,
    );
    const found = Number(new RegExp(match).exec(said).slice(1).find(Boolean));
    assert.ok(found >= atLeast, `${name}: ${said}`);
    return found;
}

/** Opens the step and reads its number; of a story, sees its figure in both windows. */
export async function tell(page, step) {
    await go(page, linkOf(step));
    const value = step.page
        ? await studySays(page, step)
        : Number(await number(page, step.name, one => holds(one, step.seen)));
    if (isStory(step))
        for (const [width, height] of [
            [1440, 900],
            [1280, 800],
        ]) {
            await page.setViewportSize({width, height});
            await inWindow(page, step, width);
        }
    await page.setViewportSize({width: 1440, height: 900});
    return value;
}

/** Whether a step's figure, and the first row pinned in it, stand in the window as it is, once nothing moves. */
async function inSight(page, step) {
    let [before, alike] = ['', 0];
    const {figures, pinned, height} = await settled(
        page,
        step,
        places => {
            const now = JSON.stringify(places);
            alike = now === before ? alike + 1 : 0;
            before = now;
            return alike === AT_REST;
        },
        'at rest',
    );
    const [{top}] = figures;
    const row = pinned.slice(0, 1).every(one => one.top > -1 && one.bottom <= height);
    return top > -1 && top + LEAST <= height && row; // pixels of the screen are rounded
}

/** The same of a story on a phone; returns whether nothing had to be moved. */
export async function tellOnPhone(page, step) {
    await go(page, linkOf(step));
    if (step.page) await studySays(page, step);
    else if (step.seen) await number(page, step.name, value => holds(value, step.seen));
    await withinSwipe(page, step);
    return inSight(page, step);
}
