/* OSMesa tori: draws two lit tori and a floor into memory, and writes them as a picture. */
/* SPDX-License-Identifier: MIT */
/*
 * cc osmesa_tori.c -lOSMesa -lGL -lm -o osmesa_tori && ./osmesa_tori tori.ppm
 *
 * Exit code 1: no context, or the file cannot be written; 2: usage.
 */
#include <GL/osmesa.h>
#include <math.h>
#include <stdio.h>

enum { WIDTH = 640, HEIGHT = 480 };

static unsigned char pixels[HEIGHT][WIDTH][4];

static void torus(float ring, float tube) {
    enum { RINGS = 96, SIDES = 48 };
    const float turn = 6.2831853F;
    for (int i = 0; i < RINGS; ++i) {
        glBegin(GL_QUAD_STRIP);
        for (int j = 0; j <= SIDES; ++j)
            for (int k = 1; k >= 0; --k) {
                const float a = turn * (float)(i + k) / RINGS;
                const float b = turn * (float)j / SIDES;
                const float radius = ring + tube * cosf(b);
                glNormal3f(cosf(a) * cosf(b), sinf(a) * cosf(b), sinf(b));
                glVertex3f(cosf(a) * radius, sinf(a) * radius, tube * sinf(b));
            }
        glEnd();
    }
}

static void material(float red, float green, float blue) {
    const float color[] = {red, green, blue, 1};
    const float white[] = {0.7F, 0.7F, 0.7F, 1};
    glMaterialfv(GL_FRONT_AND_BACK, GL_AMBIENT_AND_DIFFUSE, color);
    glMaterialfv(GL_FRONT_AND_BACK, GL_SPECULAR, white);
    glMaterialf(GL_FRONT_AND_BACK, GL_SHININESS, 40);
}

/* Squares in two colors. */
static void ground(void) {
    glNormal3f(0, 1, 0);
    for (int x = -8; x < 8; ++x)
        for (int z = -8; z < 8; ++z) {
            const float shade = ((x + z) & 1) != 0 ? 0.75F : 0.35F;
            material(shade, shade, shade * 1.1F);
            glBegin(GL_QUADS);
            glVertex3f((float)x, -1.6F, (float)z);
            glVertex3f((float)x, -1.6F, (float)(z + 1));
            glVertex3f((float)(x + 1), -1.6F, (float)(z + 1));
            glVertex3f((float)(x + 1), -1.6F, (float)z);
            glEnd();
        }
}

static void draw(void) {
    const float light[] = {0.4F, 0.8F, 0.6F, 0};
    glViewport(0, 0, WIDTH, HEIGHT);
    glClearColor(0.13F, 0.16F, 0.22F, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glEnable(GL_NORMALIZE);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glFrustum(-0.4, 0.4, -0.3, 0.3, 1, 30);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glRotatef(20, 1, 0, 0);
    glTranslatef(0, -2, -6);
    glLightfv(GL_LIGHT0, GL_POSITION, light);
    ground();
    glPushMatrix();
    glTranslatef(-0.6F, 0, 0);
    glRotatef(60, 1, 0, 0);
    material(0.9F, 0.35F, 0.1F);
    torus(1.1F, 0.35F);
    glPopMatrix();
    glTranslatef(0.5F, 0, 0);
    glRotatef(-35, 1, 0, 0);
    material(0.15F, 0.5F, 0.85F);
    torus(1.1F, 0.35F);
}

/* Returns 0 if the file was not written. */
static int write_picture(const char* name) {
    FILE* file = fopen(name, "wb");
    if (file == NULL)
        return 0;
    fprintf(file, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
    for (int y = HEIGHT - 1; y >= 0; --y)
        for (int x = 0; x < WIDTH; ++x)
            fwrite(pixels[y][x], 1, 3, file);
    return fclose(file) == 0;
}

int main(int argc, char** argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: osmesa_tori FILE.ppm\n");
        return 2;
    }
    OSMesaContext context = OSMesaCreateContextExt(OSMESA_RGBA, 24, 0, 0, NULL);
    if (context == NULL || !OSMesaMakeCurrent(context, pixels, GL_UNSIGNED_BYTE, WIDTH, HEIGHT)) {
        fprintf(stderr, "osmesa_tori: no context\n");
        return 1;
    }
    draw();
    glFinish();
    const int written = write_picture(argv[1]);
    if (!written)
        perror(argv[1]);
    OSMesaDestroyContext(context);
    return written ? 0 : 1;
}
