/* share.en - the English words of the Share dialog and of the gallery page. text/share_zh.js has
 * the same keys; a test compares them. */

export const shareEn = {
    title: 'Share this figure',
    as: 'As',
    copy: 'Copy',
    copied: 'Copied',
    copyFailed: 'Your browser does not let the page copy; the text is selected, press Ctrl+C.',
    close: 'Close',
    cors:
        'Pages on other sites can show it where the server of this site lets them read it (CORS: Access-Control-Allow-Origin: *; GitHub Pages does). ' +
        'Otherwise the picture inside stays still.',
    pieces: {
        code: 'The text to paste',
        sizer: 'Once a page, if frames are to take the height of their figures',
        shortcode: 'Once a site, as layouts/shortcodes/head-light.html',
    },
    kinds: {
        link: {
            name: 'Link',
            where: 'Opens this page as it is now; for mail, chat and anywhere a link can stand.',
            save: '',
        },
        iframe: {
            name: 'Frame',
            where: 'For any page that takes HTML with frames; nothing of the page around it is touched.',
            save: '',
        },
        element: {
            name: 'Element',
            save: '',
            where: 'For pages that take HTML with scripts; the picture inside is shown where scripts do not run: feeds, print, search engines.',
        },
        markdown: {
            name: 'Markdown',
            save: 'Save the picture',
            where: 'For README files, GitHub, forums and newsletters: save the picture beside your text; it leads to this page.',
        },
        html: {
            name: 'Web page',
            save: 'Save the web page',
            where: 'One file with the figure that one can point at; opens from disk, needs no network, can be sent by mail.',
        },
        jekyll: {
            name: 'Jekyll',
            where: 'For posts in Markdown on GitHub Pages and other Jekyll sites.',
            save: '',
        },
        hugo: {
            name: 'Hugo',
            where: 'For posts in Markdown; the shortcode is needed because Hugo leaves out HTML in Markdown.',
            save: '',
        },
        quarto: {name: 'Quarto', where: 'For HTML output of .qmd files and R Markdown.', save: ''},
        jupyter: {
            name: 'Jupyter',
            where: 'For a Python cell in Jupyter, VS Code or Colab; stays in the notebook when it is exported as HTML.',
            save: '',
        },
    },
    gallery: {
        link: 'See each of them working',
        other: '中文',
        otherFile: 'gallery-zh.html',
        otherLang: 'zh',
        title: 'Headlight in other pages',
        lede:
            'Each figure below is put into this page by the very text that the Share dialog of the Headlight page hands out. The weights ' +
            'stand in the page; a model is fetched only when you press its button.',
        home: 'To the Headlight page',
        tag: 'Its tag',
        figures: {
            element: {
                title: 'The element',
                text:
                    'A picture stands here until the script has come, and where no script runs. ' +
                    'Layer 0, head 6: the next word.',
            },
            dark: {
                title: 'The same in dark',
                text: 'theme="dark", whatever the reader’s system prefers; another head, by words instead of pieces.',
            },
            shared: {
                title: 'Two figures, one model',
                text: 'Press the button of both: the model is fetched once, and both use it.',
            },
            model: {
                title: 'A view that needs the model',
                text: 'The picture is all there is until the button is pressed.',
            },
            frame: {
                title: 'A frame',
                text: 'It tells its height to the page around it, which checks who speaks and keeps it within 100 and 4000 px.',
            },
            markdown: {
                title: 'A picture in Markdown',
                text: 'A picture that leads to the page, for where nothing else is allowed.',
            },
            sandbox: {
                title: 'In a sandbox',
                text: 'A frame without an origin of its own, without storage: srcdoc with sandbox="allow-scripts".',
            },
            policy: {
                title: 'Under a strict policy',
                text: 'The page in this frame allows no inline script and no inline style.',
            },
            bare: {
                title: 'Without JavaScript',
                text: 'A frame in which no script runs: the picture stays.',
            },
        },
    },
};
