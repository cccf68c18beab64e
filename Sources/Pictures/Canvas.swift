import Ccairo
import Cpango

/// A page to draw on, which is then encoded as an SVG or PNG file; both show the same picture.
final class Canvas {
    let width: Double
    let height: Double
    private let surface: OpaquePointer
    private let context: OpaquePointer
    /// Arranges the glyphs of one line of text at a time.
    private let layout: OpaquePointer
    private let format: PictureFormat
    private let sink = ByteSink()

    /// Creates a page with a size in points, filled with `paper`; a PNG has `pixels` per point. cairo_svg_surface_create_for_stream,
    /// cairo_image_surface_create
    init(width: Double, height: Double, format: PictureFormat, paper: Ink, pixels: Double = 2) {
        self.width = width
        self.height = height
        self.format = format
        // SAFETY: the sink lives as long as this object, which destroys the surface.
        let target = Unmanaged.passUnretained(sink).toOpaque()
        switch format {
        case .svg: surface = cairo_svg_surface_create_for_stream(collect, target, width, height)
        case .png:
            surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width * pixels), Int32(height * pixels))
        }
        context = cairo_create(surface)
        if format == .png { cairo_scale(context, pixels, pixels) }
        // Text is laid out the same at every size.
        let options = cairo_font_options_create()
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        // Each page has its own fonts: two threads must not share them.
        let fonts = pango_cairo_font_map_new()
        let typesetting = pango_font_map_create_context(fonts)
        pango_cairo_context_set_font_options(typesetting, options)
        pango_context_set_round_glyph_positions(typesetting, 0)
        pango_cairo_update_context(context, typesetting)
        layout = pango_layout_new(typesetting)
        cairo_font_options_destroy(options)
        // The layout keeps them.
        g_object_unref(UnsafeMutableRawPointer(typesetting))
        g_object_unref(UnsafeMutableRawPointer(fonts))
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        fill(Area(left: 0, top: 0, right: width, bottom: height), paper)
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(layout))
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    /// The file's bytes; nothing more can be drawn. cairo_surface_finish, cairo_surface_write_to_png_stream
    consuming func finish() throws(PictureError) -> [UInt8] {
        let drawn = cairo_status(context)
        guard drawn == CAIRO_STATUS_SUCCESS else { throw .cannotDraw(reason: words(drawn)) }
        var stored = CAIRO_STATUS_SUCCESS
        if format == .png {
            stored = cairo_surface_write_to_png_stream(surface, collect, Unmanaged.passUnretained(sink).toOpaque())
        } else {
            cairo_surface_finish(surface)
            stored = cairo_surface_status(surface)
        }
        guard stored == CAIRO_STATUS_SUCCESS else { throw .cannotDraw(reason: words(stored)) }
        return format == .svg ? Self.withoutSerial(sink.bytes) : sink.bytes
    }

    /// Replaces the page's id, which contains cairo's number of the surface in this process; nothing refers to it.
    private static func withoutSerial(_ svg: [UInt8]) -> [UInt8] {
        let text = String(decoding: svg, as: UTF8.self)
        return Array(text.replacing(/id="surface\d+"/, with: "id=\"page\"").utf8)
    }

    private func words(_ status: cairo_status_t) -> String { String(cString: cairo_status_to_string(status)) }

    // MARK: Shapes

    func fill(_ area: Area, _ ink: Ink) {
        use(ink)
        cairo_rectangle(context, area.left, area.top, area.width, area.height)
        cairo_fill(context)
    }

    func fill(_ outline: [Point], _ ink: Ink) {
        trace(outline)
        use(ink)
        cairo_close_path(context)
        cairo_fill(context)
    }

    func dot(at center: Point, _ ink: Ink, radius: Double = 3.2) {
        use(ink)
        cairo_arc(context, center.x, center.y, radius, 0, 2 * .pi)
        cairo_fill(context)
    }

    /// Draws lines from lower left to upper right inside an outline, `step` points apart, on one grid for the whole page.
    ///
    /// - Parameter offset: Shift of the lines, 0...1 of the step, which distinguishes overlapping areas.
    func hatch(_ outline: [Point], _ ink: Ink, offset: Double, step: Double = 12) {
        guard let left = outline.map(\.x).min(), let right = outline.map(\.x).max(), let top = outline.map(\.y).min(),
            let bottom = outline.map(\.y).max()
        else { return }
        cairo_save(context)
        trace(outline)
        cairo_close_path(context)
        cairo_clip(context)
        let height = bottom - top
        let first = ((left - height + bottom) / step).rounded(.down) + offset
        for x in stride(from: first * step - bottom, to: right, by: step) {
            line([Point(x: x, y: bottom), Point(x: x + height, y: top)], ink, width: 0.8)
        }
        cairo_restore(context)
    }

    /// - Parameter dashes: Lengths of dashes and gaps in points, and where in them the line begins.
    func line(_ points: [Point], _ ink: Ink, width: Double = 1, dashes: (lengths: [Double], start: Double)? = nil) {
        trace(points)
        use(ink)
        cairo_set_line_width(context, width)
        if let dashes { cairo_set_dash(context, dashes.lengths, Int32(dashes.lengths.count), dashes.start) }
        cairo_stroke(context)
        if dashes != nil { cairo_set_dash(context, nil, 0, 0) }
    }

    private func trace(_ points: [Point]) {
        guard let first = points.first else { return }
        cairo_move_to(context, first.x, first.y)
        for point in points.dropFirst() { cairo_line_to(context, point.x, point.y) }
    }

    /// Clips what `body` draws to the area.
    func clipped(to area: Area, _ body: () -> Void) {
        cairo_save(context)
        cairo_rectangle(context, area.left, area.top, area.width, area.height)
        cairo_clip(context)
        body()
        cairo_restore(context)
    }

    private func use(_ ink: Ink) { cairo_set_source_rgba(context, ink.red, ink.green, ink.blue, ink.cover) }

    // MARK: Type

    /// Writes a line with its baseline at the point. pango_cairo_show_layout_line
    func write(_ text: String, at point: Point, _ type: Type, _ ink: Ink, anchor: Anchor = .start) {
        let left = point.x - anchor.share * width(of: text, type)
        // SAFETY: the line is the layout's until its text changes.
        guard let line = pango_layout_get_line_readonly(layout, 0) else { return }
        use(ink)
        cairo_move_to(context, left, point.y)
        pango_cairo_show_layout_line(context, line)
        // The current point would begin the next path.
        cairo_new_path(context)
    }

    /// The width of a line of text in points; the layout then has this text. pango_layout_get_size
    func width(of text: String, _ type: Type) -> Double {
        let font = pango_font_description_from_string(type.isBold ? "sans-serif bold" : "sans-serif")
        pango_font_description_set_absolute_size(font, type.size * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)
        // Its own letters decide its direction, rather than those of a part of it that is isolated.
        pango_layout_set_text(layout, text.onOneLine.isolated, -1)
        var width: Int32 = 0
        pango_layout_get_size(layout, &width, nil)
        return Double(width) / Double(PANGO_SCALE)
    }

    /// The text, or as much of it as fits with an ellipsis; empty if nothing does.
    func cut(_ text: String, to width: Double, _ type: Type) -> String {
        guard width > 0 else { return "" }
        let text = text.onOneLine
        guard self.width(of: text, type) > width else { return text }
        var (fits, tooLong) = (0, text.count)
        while tooLong - fits > 1 {
            let middle = (fits + tooLong) / 2
            if self.width(of: text.prefix(middle) + "…", type) <= width { fits = middle } else { tooLong = middle }
        }
        guard fits > 0 else { return "" }
        return text.prefix(fits).trimmingSuffix(while: { $0 == " " }) + "…"
    }
}

private final class ByteSink {
    var bytes: [UInt8] = []
}

/// Appends bytes to the sink. A free function, since cairo calls it through a pointer.
private func collect(_ target: UnsafeMutableRawPointer?, _ data: UnsafePointer<UInt8>?, _ count: UInt32) -> cairo_status_t {
    guard let target, let data else { return CAIRO_STATUS_WRITE_ERROR }
    // SAFETY: the target is the sink that the canvas holds; cairo gives `count` bytes.
    Unmanaged<ByteSink>.fromOpaque(target).takeUnretainedValue().bytes += UnsafeBufferPointer(start: data, count: Int(count))
    return CAIRO_STATUS_SUCCESS
}

extension StringProtocol {
    fileprivate func trimmingSuffix(while drops: (Character) -> Bool) -> String {
        var rest = Substring(self)
        while let last = rest.last, drops(last) { rest.removeLast() }
        return String(rest)
    }
}
